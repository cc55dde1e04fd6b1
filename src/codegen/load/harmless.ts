/** Names the faults of a document that do not change the generated code, so that a team may accept them. */

import type { HarmlessFault } from '../problems/fault.js';
import { REPAIR_RULE, repairOf } from './repairs.js';
import { DOCUMENTATION_RULE } from './linter-rules.js';
import { words } from '../text/identifiers.js';

/** Fields that are used only for documentation. */
const DOCUMENTATION = new Set(
  words(`title version description summary termsOfService contact license name url email identifier
    externalDocs tags example examples value externalValue`),
);

/** Objects that are only documentation, by the linter's name. */
const OBJECTS = /^(?:Info|Contact|License|ExternalDocs|Tag|TagList|Tags|Example|ExamplesMap|Logo)$/;

/** Fields that are documentation only in these objects; elsewhere, a `name` or a `url` matters. */
const OWNED = new Set(['version', 'name', 'url', 'email', 'identifier', 'value', 'externalValue']);
const OWNERS = new Set(['info', 'contact', 'license', 'externalDocs', 'tags', 'examples']);

/** Fields whose members have free names, which may be the same as those of documentation fields. */
const MAPS = new Set(
  words(`schemas responses parameters requestBodies headers securitySchemes links callbacks pathItems
    mediaTypes paths webhooks properties patternProperties $defs definitions mapping scopes variables
    content encoding`),
);

/** The name of a harmless fault; undefined for any other fault. @param tokens - the place of the fault */
export function harmlessFault(
  ruleId: string,
  message: string,
  tokens: readonly string[],
): HarmlessFault | undefined {
  if (ruleId === DOCUMENTATION_RULE || ruleId === 'spec-no-invalid-tag-parents')
    return 'invalid-documentation';
  if (ruleId === REPAIR_RULE) return repairOf(tokens.at(-1));
  if (ruleId !== 'struct') return undefined;
  if (/^(?:Property|The field) `[^`]+` is not (?:expected|allowed) here/.test(message))
    // A member with a wrong name, such as a path without its slash, would be lost.
    return MAPS.has(tokens.at(-2) ?? '') ? undefined : 'unexpected-field';
  const missing = /^The field `([^`]+)` must be present/.exec(message)?.[1];
  if (missing !== undefined)
    return isDocumentation([...tokens, missing]) ? 'missing-documentation' : undefined;
  const object = /^Expected type `(\w+)` \((?:object|array)\)/.exec(message)?.[1];
  const isHarmless =
    object === undefined
      ? message.startsWith('Expected type') && isDocumentation(tokens)
      : OBJECTS.test(object);
  return isHarmless ? 'invalid-documentation' : undefined;
}

function isDocumentation(tokens: readonly string[]): boolean {
  const path = /^\d+$/.test(tokens.at(-1) ?? '') ? tokens.slice(0, -1) : tokens;
  const [field = '', owner = '', above = ''] = path.toReversed();
  if (field === 'info') return path.length === 1;
  if (!DOCUMENTATION.has(field) || MAPS.has(owner)) return false;
  return !OWNED.has(field) || OWNERS.has(owner) || OWNERS.has(above);
}

const TEXTS = new Set(['title', 'description', 'summary']);
const DATA = /^(?:examples?|default|enum|const|x-.*)$/;

/** Removes, in place, the titles, descriptions and summaries of a document that are not texts. */
export function removeInvalidTexts(value: unknown, key = ''): void {
  if (typeof value !== 'object' || value === null || DATA.test(key)) return;
  for (const [name, member] of Object.entries(value)) {
    const isText = TEXTS.has(name) && !MAPS.has(key);
    if (isText && typeof member !== 'string') Reflect.deleteProperty(value, name);
    // The name of a member is not the name of a field.
    else removeInvalidTexts(member, MAPS.has(key) ? '' : name);
  }
}
