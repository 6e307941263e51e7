// What the site adds to the default theme.
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineAsyncComponent, h } from "vue";
import RunnableExample from "./example/runnable-example.vue";
import GalleryCard from "./gallery/gallery-card.vue";
import CopyCommand from "./home/copy-command.vue";
import HomeDemo from "./home/home-demo.vue";
import NotFound from "./not-found.vue";
import PageEnd from "./page-end.vue";
import PlayStep from "./tutorial/play-step.vue";
import "./tokens.css";
import "./docs.css";
import "./home/home.css";
import "./home/figures.css";
import "./reference/reference.css";
import "./gallery/gallery.css";
import "./search-button.css";
import "./sides/sides.css";

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { "not-found": () => h(NotFound), "doc-after": () => h(PageEnd) }),
  enhanceApp({ app }) {
    app.component("RunnableExample", RunnableExample);
    app.component("PlayStep", PlayStep);
    app.component(
      "Playground",
      defineAsyncComponent(() => import("./playground/playground-page.vue")),
    );
    app.component("CopyCommand", CopyCommand);
    app.component("HomeDemo", HomeDemo);
    app.component("GalleryCard", GalleryCard);
  },
} satisfies Theme;
