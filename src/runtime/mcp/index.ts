/** The entry point `@concordat/runtime/mcp`: the operations of a contract as tools of the Model Context Protocol. */

export type { McpOptions } from './contract-tools.js';
export { type McpHttpOptions, mcpHttp, type McpServerOptions, mcpServer } from './mcp-http.js';
