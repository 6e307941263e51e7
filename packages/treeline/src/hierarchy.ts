/** Only the tree, as plain functions over both storages: the short names of an article on hierarchies. */
export * from "@treeline/query/hierarchy";
