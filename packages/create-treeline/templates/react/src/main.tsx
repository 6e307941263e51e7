import { useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { ChildOf, children, destroy, type Entity, get, Name, rename, spawn } from "treeline";
import { getVersion, list, subscribe, world } from "./world.ts";

function Item({ entity }: { readonly entity: Entity }) {
  const change = (name: string) => name !== "" && rename(world, entity, name);
  return (
    <li>
      <input title="Name" value={get(world, entity, Name)} onChange={({ target }) => change(target.value)} />
      <button type="button" onClick={() => spawn(world, Name("New"), ChildOf(entity))}>
        Add
      </button>
      <button type="button" onClick={() => destroy(world, entity)} disabled={entity === list}>
        Remove
      </button>
      <ul>
        {children(world, entity).map((child) => (
          <Item key={child} entity={child} />
        ))}
      </ul>
    </li>
  );
}

function App() {
  useSyncExternalStore(subscribe, getVersion);
  return <Item entity={list} />;
}
createRoot(document.getElementById("root")!).render(<App />);
