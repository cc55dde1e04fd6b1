/** Which texts are addresses on the web, and which name folders: without the linter, for the options of programs that do not load it. */

/** The origin that a text names, such as `https://example.com`; undefined for other texts. */
export function originOf(text: string): string | undefined {
  const url = isWebAddress(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && `${url.origin}/` === url.href ? url.origin : undefined;
}

/** Whether a text names a folder, such as `../shared`, `./api` or `/srv/contracts`. */
export function isFolder(text: string): boolean {
  return /^(?:\.{0,2}[/\\]|\.{1,2}$|[a-z]:[/\\])/i.test(text);
}

/** Whether a document has a web address, and is not a file. */
export function isWebAddress(file: string): boolean {
  return /^https?:/i.test(file);
}
