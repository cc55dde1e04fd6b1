/** The faults of documents that do not change the generated code, so that a team may accept them, and the repairs of some of them. */

import type { Oas3Visitor } from '@redocly/openapi-core';
import type { FeatureName, HarmlessFault } from '../problems/features.js';
import { joinPointer } from '../../text/pointer.js';
import {
  followed,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  withOperations,
} from '../schemas/document.js';
import { words } from '../../text/identifiers.js';
import { upgradeBounds } from './upgrade.js';

/** The meaning of each repaired fault, which is the notice if the fault is accepted. */
const MEANINGS = {
  'exclusive-bound':
    'an exclusive bound keeps its meaning from the version of OpenAPI with this notation: a flag excludes the bound beside it, and a number is the bound',
  'required-flag': 'a boolean `required` in a schema is ignored',
  'undeclared-path-parameter': 'a path parameter that nothing declares is a required string',
} as const satisfies Readonly<Partial<Record<HarmlessFault, string>>>;

type Repair = keyof typeof MEANINGS;

/** The notice for an accepted fault; undefined for a fault that is not repaired. */
export function meaningOf(feature: FeatureName | undefined): string | undefined {
  return feature !== undefined && Object.hasOwn(MEANINGS, feature) ? MEANINGS[feature as Repair] : undefined;
}

/** The linter's rule that reports and repairs schemas. */
export const REPAIR_RULE = 'concordat/repairs';

/** The name of a fault that the rule found. @param field - the field in which it was found */
function repairOf(field: string | undefined): Repair {
  return field === 'required' ? 'required-flag' : 'exclusive-bound';
}

/**
 * Whether a fault is ignored with a note: a flag that makes no property required, or the name of a header in the header itself, as in a
 * parameter that a response refers to.
 *
 * @param tokens - the place of the fault
 */
export function isIdle(feature: HarmlessFault, message: string, tokens: readonly string[]): boolean {
  const [field = '', , holder = ''] = tokens.toReversed();
  if (feature === 'required-flag') return holder !== 'properties' || message.endsWith('false');
  return (
    feature === 'unexpected-field' && /^(?:name|in)$/.test(field) && /^(?:headers|parameters)$/.test(holder)
  );
}

/** Reports the faults of schemas, and repairs them in place before they are bundled. */
export function repairSchemas(): Oas3Visitor {
  return {
    Schema: (node, context) => {
      const { specVersion, location } = context;
      const schema = node as unknown as Record<string, unknown>;
      const fault = (field: string, message: string): void => {
        context.report({ message, location: location.child([field]) });
      };
      if (typeof schema['required'] === 'boolean') {
        fault('required', `\`required\` is a list of names, and not ${schema['required']}`);
        Reflect.deleteProperty(schema, 'required');
      }
      for (const exclusive of ['exclusiveMinimum', 'exclusiveMaximum']) {
        if (typeof schema[exclusive] === (specVersion === 'oas3_0' ? 'number' : 'boolean'))
          fault(exclusive, `\`${exclusive}\` is written as in another version of OpenAPI`);
      }
      // Schemas of 3.0 are upgraded later.
      if (specVersion !== 'oas3_0') upgradeBounds(schema);
    },
  };
}

/** A parameter of a path template that is not declared. */
interface Undeclared {
  readonly name: string;
  /** The place of the operation. */
  readonly at: string;
}

/**
 * Declares the missing path parameters of each operation.
 *
 * @param copied - called with each object that is replaced and its copy
 * @returns the same document if none is missing
 */
export function withPathParameters(
  document: OpenApiDocument,
  copied: (from: object, to: object) => void,
): { readonly document: OpenApiDocument; readonly undeclared: readonly Undeclared[] } {
  const undeclared: Undeclared[] = [];
  const repaired = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const names = new Set([...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name));
    const whole = followed(document, item) as PathItem;
    const count = undeclared.length;
    const copy = withOperations(whole, ({ operation, names: tokens }) => {
      const missing = missingNames(document, names, whole, operation);
      if (missing.length === 0) return operation;
      const at = joinPointer('#/paths', path, ...tokens);
      undeclared.push(...missing.map((name) => ({ name, at })));
      const made = missing.map(
        (name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }) as const,
      );
      const changed = { ...operation, parameters: [...(operation.parameters ?? []), ...made] };
      copied(operation, changed);
      return changed;
    });
    if (undeclared.length === count) return [path, item] as const;
    copied(whole, copy);
    return [path, copy] as const;
  });
  if (undeclared.length === 0) return { document, undeclared };
  const paths = Object.fromEntries(repaired) as OpenApiDocument['paths'] & object;
  return { document: { ...document, paths }, undeclared };
}

/** The names in a path template that neither the path nor the operation declares. */
function missingNames(
  document: OpenApiDocument,
  names: ReadonlySet<string>,
  item: PathItem,
  operation: OperationObject,
): readonly string[] {
  if (names.size === 0) return [];
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
  const declared = parameters
    .map((each) => followed(document, each) as ParameterObject)
    .filter((each) => each.in === 'path');
  return [...names].filter((name) => declared.every((each) => each.name !== name));
}

/** Faults against this rule do not change the generated code. */
const DOCUMENTATION_RULE = 'concordat/documentation';

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
export const MAPS: ReadonlySet<string> = new Set(
  words(`schemas responses parameters requestBodies headers securitySchemes links callbacks pathItems
    mediaTypes paths webhooks properties patternProperties $defs definitions mapping scopes variables
    content encoding`),
);

/** An action may select nothing (Overlay 1.1, Action Object). */
export const SELECTS_NOTHING = 'the target selects nothing in the document';

/** The name of a harmless fault; undefined for any other fault. @param tokens - the place of the fault */
export function harmlessFault(
  ruleId: string,
  message: string,
  tokens: readonly string[],
): HarmlessFault | undefined {
  if (ruleId === DOCUMENTATION_RULE || ruleId === 'spec-no-invalid-tag-parents')
    return 'invalid-documentation';
  if (ruleId === 'overlay') return message === SELECTS_NOTHING ? 'idle-overlay-action' : undefined;
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
