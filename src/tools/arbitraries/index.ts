/** The entry point `@concordat/tools/fast-check`: arbitraries from the contract. */

export { type RequestPart, arbitraryOf, arbitraryOfCheck } from './arbitrary-of.js';
