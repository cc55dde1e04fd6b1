/** The entry point `@concordat/core/response-validators`: checks of every answer that the contract declares. */

export * from '../../generated/response-validators.js';
