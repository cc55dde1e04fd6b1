/** Makes paths that fit a path template. */

/** A path that fits a template, and the texts of its parameters, in order and percent-encoded. */
export interface SamplePath {
  readonly path: string;
  readonly values: readonly string[];
}

/** A path whose parameters hold what has to be percent-encoded: a blank, a slash and a letter beyond ASCII. */
export function samplePath(template: string): SamplePath {
  const values: string[] = [];
  const path = template.replaceAll(/\{([^}]+)\}/g, () => {
    values.push(encodeURIComponent(`vàl/ue ${String(values.length)}`));
    return values.at(-1) ?? '';
  });
  return { path, values };
}
