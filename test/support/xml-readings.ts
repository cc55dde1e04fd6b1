/** Reads XML back into the value that it was written from, guided by the schema: XML itself knows only text. */
import { XMLParser } from 'fast-xml-parser';
import {
  child,
  entries,
  follow,
  isNode,
  items,
  type Node,
  type Place,
} from '../contract/contract-document.js';

const parser = new XMLParser({
  // Whether `1` is a number or a text is the schema's to say.
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  // One element reads like several.
  isArray: () => true,
});

/** A value, and the root element that it must have had. */
export interface XmlReading {
  readonly root: string;
  readonly value: unknown;
}

/** A document as it is written. */
export interface XmlDocument {
  readonly root: string;
  readonly content: unknown;
}

/** @throws when the text is not one well-formed element */
export function parseXml(text: string): XmlDocument {
  // Deprecated in favour of another package of the same author; its one argument checks all that is needed here.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const parsed: unknown = parser.parse(text, true);
  const [root, ...more] = isNode(parsed) ? Object.keys(parsed) : [];
  if (!isNode(parsed) || root === undefined || more.length > 0) throw new Error(`not one element: ${text}`);
  return { root, content: only(parsed[root]) };
}

/** What the content of a root element can stand for by a schema: one value, or one an alternative of the schema. */
export function xmlReadings(document: Node, content: unknown, schema: Place): readonly XmlReading[] {
  const target = follow(document, schema);
  const alternatives = items(child(target, 'anyOf'));
  if (alternatives.length > 0) {
    return alternatives.flatMap((each) => xmlReadings(document, content, each));
  }
  return [{ root: rootOf(schema, target), value: valueOf(document, content, target) }];
}

/**
 * The schema's name in lower camel case, unless the contract names the element. A schema that is made from
 * another has its own name.
 */
function rootOf(schema: Place, target: Place): string {
  const { value: xmlName } = child(child(target, 'xml'), 'name');
  const { value: reference } = child(schema, '$ref');
  const name = (typeof reference === 'string' ? reference : target.pointer).split('/').at(-1) ?? '';
  return typeof xmlName === 'string' ? xmlName : name.charAt(0).toLowerCase() + name.slice(1);
}

function valueOf(document: Node, content: unknown, schema: Place): unknown {
  const target = follow(document, schema);
  const { value: type } = child(target, 'type');
  switch (type) {
    case 'object':
      return objectOf(document, content, target);
    case 'array':
      return arrayOf(document, content, target);
    case 'integer':
    case 'number':
      return typeof content === 'string' && isNumber(content) ? Number(content) : content;
    case 'boolean':
      return content === 'true' || (content === 'false' ? false : content);
    default:
      return content === '' && Array.isArray(type) && type.includes('null') ? null : content;
  }
}

function isNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

/** Repeated `item` elements. */
function arrayOf(document: Node, content: unknown, schema: Place): unknown {
  if (content === '') return [];
  if (!isNode(content)) return content;
  const { item, ...others } = content;
  if (Object.keys(others).length > 0 || !Array.isArray(item)) return content;
  return item.map((element: unknown) => valueOf(document, element, child(schema, 'items')));
}

function objectOf(document: Node, content: unknown, schema: Place): unknown {
  if (!isNode(content)) return content === '' ? {} : content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      const property = entries(child(schema, 'properties')).find(([known]) => known === name)?.[1];
      // What the contract does not name stays, for the schema to refuse.
      return [name, property === undefined ? value : valueOf(document, only(value), property)];
    }),
  );
}

function only(elements: unknown): unknown {
  return Array.isArray(elements) && elements.length === 1 ? (elements[0] as unknown) : elements;
}
