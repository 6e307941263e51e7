/**
 * What the other packages use of core: destroying, moving and removing from all entities are public there (`destroy`, `moveTo`,
 * ... of the query package), so core tests their behaviour through its internal API.
 */
export {
  ANY,
  addObservers,
  beginDeferred,
  callObserver,
  DisabledFromAbove,
  deferCommand,
  deferLast,
  destroy,
  destroyAll,
  endDeferred,
  Is,
  insideScope,
  Life,
  moveAll,
  moveTo,
  mustDefer,
  parseTerm,
  removeFromAll,
  replaceChildren,
  requireAlive,
  scopeOf,
  spawnBelow,
  textOf,
} from "../src/internal.ts";
