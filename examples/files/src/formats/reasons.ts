// Why the file system refused access, in words (`reasonOf`).

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "may not be read (permission denied)",
  EPERM: "may not be read (permission denied)",
  EISDIR: "is a directory, not a file",
  ELOOP: "is a link in a cycle of links",
  ENAMETOOLONG: "is too long for a path",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "there is no such file or folder",
};

/** Why the file system refused access, as a text for messages. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  return REASONS[code] ?? `cannot be read (${code})`;
}
