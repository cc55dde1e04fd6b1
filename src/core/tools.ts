/** The entry point `@concordat/core/tools`: the operations of the service as tools for models. */

export { tools } from '../../generated/tools.js';
