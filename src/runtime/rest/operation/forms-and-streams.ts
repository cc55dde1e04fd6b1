/** The functions for forms and streams. A generated contract that has such bodies brings them, so that other bundles do without them. */

import type { BodyCodecs } from '../../contract/body-codecs.js';
import { compileForm, compileFormText, compileMultipart } from '../decode/forms.js';
import { writeForm } from '../encode/write-forms.js';
import { splitItems } from '../responses/received-items.js';
import { compileItems } from '../sequences/read-items.js';
import { compileParts } from '../sequences/read-parts.js';
import { ItemBody } from '../sequences/write-items.js';

/** For the generated `routing.ts`. */
export const bodyCodecs: BodyCodecs = {
  form: compileForm,
  multipart: compileMultipart,
  formText: compileFormText,
  parts: compileParts,
  items: compileItems,
  writeItems: (...parameters) => new ItemBody(...parameters),
  writeForm,
  splitItems,
};
