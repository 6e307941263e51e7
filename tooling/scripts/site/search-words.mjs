// What people from elsewhere call what a page is about: the search finds the page by these words, too. A place is a page, or a part of it.

export const WORDS = {
  "guide/index": "introduction overview getting started what is ecs entity component system why",
  "guide/tutorial": "start install setup npm example game asteroids first program learn beginner",

  "concepts/entities":
    "object node game object actor create spawn new add component tag flag schema bundle world",
  "concepts/entities#required-components": "requires dependency default component bundle",
  "concepts/entities#handles": "id identifier generation weak reference stale is alive",
  "concepts/trees":
    "parent child childof hierarchy scene graph scenegraph node tree attach detach setparent addchild relation relationship",
  "concepts/trees#two-storages": "Parent component non-fragmenting ChildOf storage difference",
  "concepts/trees#other-trees": "own relation custom hierarchy relationship",
  "concepts/order":
    "order of iteration sorted sequence determinism deterministic lockstep unordered row order",
  "concepts/queries": "query filter system view archetype iterate loop foreach each without not optional",
  "concepts/queries#ancestors": "cascade up inherit from parent propagate breadth first top down traversal",
  "concepts/queries#relations-and-variables": "relation relationship pair join wildcard any target",
  "concepts/changes#all-or-nothing": "transaction atomic error exception invalid",
  "concepts/changes#inside-an-iteration": "deferred commands command buffer while iterating during query",
  "concepts/changes#observers":
    "event hook callback trigger onadd onremove onset signal subscribe listener reactive",
  "concepts/changes#queries-for-changes": "change detection changed added removed dirty modified reactive",
  "concepts/changes#monitors": "enter exit onqueryadd onqueryremove enterquery exitquery",
  "concepts/names": "name label path find by name lookup identifier string",
  "concepts/storage": "archetype table chunk sparse set column soa memory layout fragmentation fragmenting",
  "concepts/limits": "maximum how many entities limitation threads missing feature when not to use",

  hierarchies: "container ordered list parent slots several parents multiple parents many to many dag graph",
  "hierarchies#children-in-order": "sibling order sort children",
  errors: "error code exception message throws TreelineError",

  "how-to/clicks": "mouse pointer touch raycast pick picking select click bubble propagation event emit",
  "how-to/copy-and-paste": "clone duplicate copy instantiate cut clipboard deep copy",
  "how-to/destroying":
    "delete remove despawn kill free dispose recursive cascade cleanup children with parent",
  "how-to/destroying#all-that-match": "delete remove clear every entities",
  "how-to/destroying#keep-the-children": "orphan orphans reparent children unparent",
  "how-to/destroying#what-points-at-it": "dangling reference ondelete target policy",
  "how-to/drag-and-drop": "drag drop reorder outliner tree view",
  "how-to/find-in-a-tree": "descendants children of type getcomponentinchildren subtree search filter below",
  "how-to/find-in-a-tree#all-of-a-kind-below-one-entity": "descendants component getcomponentsinchildren",
  "how-to/find-in-a-tree#the-nearest-ancestor-with-something":
    "getcomponentinparent closest ancestor root of",
  "how-to/find-in-a-tree#add-up-a-tree": "sum total aggregate bottom up children to parent post order",
  "how-to/game-loop":
    "system systems schedule scheduler update tick delta time fixed timestep requestanimationframe main loop pipeline phase",
  "how-to/game-loop#the-order-of-systems": "system systems order schedule before after stage phase pipeline",
  "how-to/gltf": "glb model import mesh animation load asset",
  "how-to/hot-reload": "level scene file text reload hmr watch live edit",
  "how-to/input": "keyboard key gamepad controls press player",
  "how-to/inspector": "devtools debug outliner explorer tree view editor panel hierarchy window properties",
  "how-to/inventory": "item slot bag equipment stack container",
  "how-to/large-worlds": "floating origin precision jitter double f64 universe",
  "how-to/lookups": "index find by id key value map dictionary uuid spatial grid neighbours quadtree",
  "how-to/many-at-once": "bulk batch thousands insert many",
  "how-to/memory": "leak gc garbage heap allocate free reserve capacity",
  "how-to/mirroring":
    "network networking multiplayer replication sync server client websocket delta replicate online",
  "how-to/pathing": "path lookup find by name wildcard glob string",
  "how-to/pausing": "pause hide show visible visibility enable disable active inactive setactive toggle",
  "how-to/performance": "slow fast speed optimise optimize fps profile benchmark",
  "how-to/prefabs": "prefab blueprint template archetype instance variant override inheritance isa nested",
  "how-to/react-three-fiber": "r3f drei",
  "how-to/rendering": "draw render canvas sprite webgl pixi image mesh display 2d",
  "how-to/rendering#a-scene-of-three-js": "three threejs object3d scene sync mesh",
  "how-to/rendering#many-of-one-kind": "instancing instanced instancedmesh batch draw calls",
  "how-to/rollback":
    "snapshot restore rewind replay netcode lockstep rollback save state prediction multiplayer",
  "how-to/saving":
    "save load serialize serialise deserialize json file persist persistence localstorage export savegame",
  "how-to/saving#what-is-saved": "save part subtree selection exclude transient",
  "how-to/saving#bytes-in-place-of-text": "binary compact bytes compress arraybuffer",
  "how-to/saving#when-definitions-change": "migration version old files schema change upgrade",
  "how-to/selection": "select selected highlight focus multiple selection",
  "how-to/sibling-order": "order reorder sort children z-index move up down first last",
  "how-to/states": "state machine fsm enum status mode app state",
  "how-to/states#after-some-time":
    "coroutine coroutines invoke timer timeout delay wait cooldown startcoroutine waitforseconds",
  "how-to/states#the-state-of-the-whole-game": "resource resources singleton global app state menu playing",
  "how-to/storage": "sparse set table which fragmentation toggle often tag",
  "how-to/teams": "group faction shared component relation member",
  "how-to/templates": "clone copy template factory function tree archetype",
  "how-to/testing": "test unit vitest jest assert verify debug",
  "how-to/transforms":
    "physics position rotation scale matrix local world global translation pivot vector quaternion lookat move",
  "how-to/transforms#another-parent-the-same-place":
    "reparent setparent keep world position worldpositionstays",
  "how-to/transforms#boxes-of-subtrees": "bounds bounding box aabb culling frustum collision size",
  "how-to/undo": "undo redo history command stack ctrl z revert",
  "how-to/user-interface": "react vue svelte hook hooks usequery store signal ui gui hud html dom reactive",
  "how-to/user-interface#a-store": "usesyncexternalstore signal subscribe",
  "how-to/workers": "thread threads worker parallel multithreading sharedarraybuffer concurrency",
  "how-to/compiler": "vite plugin build compile optimise transform unplugin",

  "coming-from/flecs": "flecs c c++",
  "coming-from/bevy": "bevy rust",
  "coming-from/unity": "unity dots gameobject monobehaviour c#",
  "coming-from/three": "three threejs object3d scene graph",
  "coming-from/koota": "koota pmndrs trait traits",
  "coming-from/bitecs": "bitecs",
};
