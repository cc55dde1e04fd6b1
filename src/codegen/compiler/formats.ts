import type { HelperSource } from './helpers.js';
export const FORMATS: ReadonlyMap<string, { kind: 'string' | 'number'; test: string }> = new Map();
export const FORMAT_FUNCTIONS: Readonly<Record<string, HelperSource>> = {};
