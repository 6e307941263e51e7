// Every entry point, imported but unused: whatever a bundler keeps of this, it keeps in every program.
import "@treeline/core";
import "@treeline/core/debug";
import "@treeline/core/internal";
import "@treeline/names";
import "@treeline/query";
import "@treeline/query/compiled";
import "@treeline/query/compiled-kernels";
import "@treeline/query/hierarchy";
import "@treeline/query/kernels";
import "@treeline/prefab";
import "@treeline/prefab/document";
