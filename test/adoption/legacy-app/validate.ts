/** Hand-written checks of requests: each reads one member and notes a problem. */

import { AppError, type Detail } from './errors.js';
import type { Ctx, InvoiceLine } from './types.js';

export type Fields = Record<string, unknown>;

/** The body as an object. @throws 400 for lists, texts and nothing */
export function bodyOf(ctx: Ctx): Fields {
  const { body } = ctx.request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError(400, 'BAD_REQUEST', 'Expected an object');
  }
  return body as Fields;
}

export class Checks {
  readonly #problems: Detail[] = [];
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  note(field: string, problem: string): void {
    this.#problems.push({ field, problem });
  }

  text(field: string, max = 200): string {
    const value = this.#fields[field];
    if (typeof value === 'string' && value.trim() !== '' && value.length <= max) return value.trim();
    this.note(field, `must be a text of 1 to ${String(max)} characters`);
    return '';
  }

  optionalText(field: string, max = 200): string | undefined {
    return this.#fields[field] === undefined ? undefined : this.text(field, max);
  }

  integer(field: string, min: number, max: number): number {
    const value = this.#fields[field];
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    this.note(field, `must be a whole number from ${String(min)} to ${String(max)}`);
    return min;
  }

  oneOf<T extends string>(field: string, values: readonly T[]): T | undefined {
    const found = values.find((value) => value === this.#fields[field]);
    if (found === undefined) this.note(field, `must be one of ${values.join(', ')}`);
    return found;
  }

  texts(field: string): string[] {
    const value: unknown = this.#fields[field] ?? [];
    if (Array.isArray(value) && value.every((each): each is string => typeof each === 'string')) return value;
    this.note(field, 'must be a list of texts');
    return [];
  }

  email(field: string): string {
    const value = this.text(field);
    if (value !== '' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value))
      this.note(field, 'must be an e-mail address');
    return value.toLowerCase();
  }

  /** Euros and cents as a text, `12.50`. */
  price(field: string): string {
    const value = this.#fields[field];
    if (typeof value === 'string' && /^\d{1,6}\.\d\d$/.test(value)) return value;
    this.note(field, 'must be a price such as 12.50');
    return '0.00';
  }

  /** @throws 422 with all problems noted */
  done(): void {
    if (this.#problems.length > 0) {
      throw new AppError(422, 'VALIDATION', 'The request has problems', this.#problems);
    }
  }
}

export function numericId(text: string | undefined): number {
  if (text !== undefined && /^\d{1,9}$/.test(text)) return Number(text);
  throw new AppError(400, 'BAD_ID', 'The id must be a number');
}

/** A member of the query as a list: `a=1&a=2`, `a[]=1&a[]=2`, or `a=1`. */
export function queryList(ctx: Ctx, name: string): string[] {
  return [ctx.query[name] ?? [], ctx.query[`${name}[]`] ?? []].flat();
}

export function queryText(ctx: Ctx, name: string): string | undefined {
  const [first] = queryList(ctx, name);
  return first === '' ? undefined : first;
}

export function queryNumber(ctx: Ctx, name: string, usual: number, max: number): number {
  const text = queryText(ctx, name);
  if (text === undefined) return usual;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new AppError(400, 'BAD_QUERY', `${name} must be from 1 to ${String(max)}`);
}

export function queryDate(ctx: Ctx, name: string): string | undefined {
  const text = queryText(ctx, name);
  if (text === undefined || /^\d{4}-\d\d-\d\d$/.test(text)) return text;
  throw new AppError(400, 'BAD_QUERY', `${name} must be a date such as 2026-03-01`);
}

export function readLines(value: unknown, checks: Checks): InvoiceLine[] {
  if (!Array.isArray(value)) {
    checks.note('lines', 'must be a list');
    return [];
  }
  return value.map((line: unknown, index) => {
    const { text, quantity, unitPriceCents, sku } = (line ?? {}) as Partial<InvoiceLine>;
    const at = `lines[${String(index)}]`;
    if (typeof text !== 'string' || text === '') checks.note(`${at}.text`, 'must not be empty');
    if (typeof quantity !== 'number' || quantity <= 0) checks.note(`${at}.quantity`, 'must be above 0');
    if (!Number.isInteger(unitPriceCents)) checks.note(`${at}.unitPriceCents`, 'must be a whole number');
    return {
      text: String(text),
      quantity: Number(quantity),
      unitPriceCents: Number(unitPriceCents),
      ...(typeof sku === 'string' && { sku }),
    };
  });
}

export function readSku(value: unknown, checks: Checks): string {
  if (typeof value === 'string' && /^[A-Z]{2,10}-\d{2,4}$/.test(value)) return value;
  checks.note('sku', 'must be a SKU such as MUG-07');
  return '';
}
