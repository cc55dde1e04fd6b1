/** The shipped alerts and dashboard: checked by promtool, and against the metrics that a running service has. */

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type MetricRow, metricsTable } from '../../src/service/watch/metrics-table.js';
import { DEPLOY, deployFile } from '../support/deploy-file.js';
import { itWithPromtool, promtool } from '../support/promtool.js';
import { block } from './readme-blocks.js';
import { useWatched } from '../service/server/watched-service.js';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string };
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const { groups } = parse(deployFile('prometheus-alerts.yaml')) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(deployFile('grafana-dashboard.json')) as { readonly panels: readonly Panel[] };
const charts = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);
const queries = [...alerts.map(({ alert, expr }) => ({ title: alert, expr })), ...charts];

const rows: readonly MetricRow[] = Object.values(metricsTable);

/** The names of metrics in a query, without those of functions, labels and modifiers. */
function metricsOf(expr: string): readonly string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|ignoring|on)\s*\([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-z]\w*\b(?!\s*\()/g)].map(([name]) => name);
}

/** The labels in the selectors and groupings of a query, with the metric before each selector. */
function selectorsOf(
  expr: string,
): readonly { readonly metric: string; readonly labels: readonly string[] }[] {
  return [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, metric = '', matchers = '']) => ({
    metric,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));
}

describe('the alerts and the dashboard', () => {
  const service = useWatched();
  let directory: string;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'concordat-alerts-'))));
  after(() => rmSync(directory, { recursive: true }));

  it('use metrics that a running service has', async () => {
    const text = await (await fetch(`${service().url}/metrics`)).text();
    const names = new Set(['up']);
    for (const [, name = '', kind] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      const parts = { histogram: ['_bucket', '_count', '_sum'], summary: ['', '_count', '_sum'] }[
        String(kind)
      ];
      for (const part of parts ?? ['']) names.add(name + part);
    }
    for (const { title, expr } of queries) {
      const used = metricsOf(expr);
      expect(used, title).not.to.deep.equal([]);
      for (const name of used) expect(names.has(name), `${title}: ${name}`).to.equal(true);
    }
  });

  it('select by labels that the metrics have', () => {
    for (const { title, expr } of queries) {
      for (const { metric, labels } of selectorsOf(expr)) {
        const row = rows.find(
          ({ name }) => name === metric.replace(/_(?:bucket|count|sum)$/, '') || name === metric,
        );
        const known = ['job', 'instance', ...(row?.labels ?? [])];
        for (const label of labels) expect(known, `${title}: ${metric}`).to.include(label);
        const grouped = [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
          list.split(/,\s*/),
        );
        if (row !== undefined) for (const label of grouped) expect([...known, 'le'], title).to.include(label);
      }
    }
  });

  it('show each metric of the table', () => {
    const shown = new Set(
      charts.flatMap(({ expr }) => metricsOf(expr)).map((name) => name.replace(/_(?:bucket|count|sum)$/, '')),
    );
    for (const { name } of rows) expect([...shown]).to.include(name);
  });

  it('explain each alert', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).to.equal(alerts.length);
    for (const { alert, labels, annotations } of alerts) {
      expect(['page', 'ticket'], alert).to.include(labels.severity);
      expect(annotations.summary, alert).to.match(/\S{2}/);
      expect(annotations.action, alert).to.match(/\.$/);
    }
  });

  itWithPromtool('have queries that Prometheus accepts', () => {
    promtool(['check', 'rules', `${DEPLOY}prometheus-alerts.yaml`]);
    const rules = charts.map(({ expr }, index) => ({
      record: `panel:${String(index)}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(?:job|instance)/g, '.*'),
    }));
    const file = join(directory, 'dashboard.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool(['check', 'rules', file])).to.include(`${String(rules.length)} rules found`);
  });

  itWithPromtool('are loaded by the configuration of the guide', () => {
    copyFileSync(`${DEPLOY}prometheus-alerts.yaml`, join(directory, 'prometheus-alerts.yaml'));
    const file = join(directory, 'prometheus.yaml');
    writeFileSync(file, block('prometheus.yaml'));
    expect(promtool(['check', 'config', file])).to.include(`${String(alerts.length)} rules found`);
  });
});
