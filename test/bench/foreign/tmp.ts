import { marketResults } from '../../tools/verify/planted/planted-run.js';
import { MARKET_FAULTS, type MarketFault } from '../../tools/verify/planted/market-faults.js';
const only = process.argv[2];
const faults = only === undefined ? [undefined, ...Object.keys(MARKET_FAULTS)] : only === '-' ? [undefined] : [only];
let n = 0;
for await (const { fault, isFound, report } of marketResults(faults as MarketFault[])) {
  n += Number(isFound);
  console.log((fault ?? 'none').padEnd(50), isFound, report.requests, report.isComplete, [...new Set(report.violations.map((v) => `${v.rule}${v.isWarning ? '?' : ''}`))].join(), fault === undefined || only ? JSON.stringify(report.violations.map((v) => [v.rule, v.operation, v.message, v.about, v.isWarning]), null, 1) : '');
  if (fault === undefined) console.log(report.operations.map(o => `${o.id} ${o.successes}/${o.requests}`).join('; '));
}
console.log(n);
