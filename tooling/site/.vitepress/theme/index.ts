import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import RunnableExample from "./example/runnable-example.vue";
import "./tokens.css";
import "./docs.css";
import "./style.css";
import "./footer.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("RunnableExample", RunnableExample);
  },
} satisfies Theme;
