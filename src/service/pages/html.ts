/** The template of HTML, whose declarations stand alone: those of where it is written are not published. */

import { html as write } from '@concordat/runtime/terminal';

/** HTML that may be inserted into other HTML unescaped. */
export interface Html {
  readonly source: string;
}

/** Fills a template: texts are escaped, lists are joined, and undefined is omitted. */
export const html: (
  texts: TemplateStringsArray,
  ...parts: readonly (string | number | Html | readonly Html[] | undefined)[]
) => Html = write;
