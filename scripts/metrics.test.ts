import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const metricsSource = ['lib/server/counters.ts', 'lib/server/http/metrics.ts']
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

const metricNames = new Set(
  [...metricsSource.matchAll(/\b(paydesk_[a-z_]+)(?:'|: ')/g)].map(([, name]) => name ?? ''),
)

/** Returns the metric names in a file, without the suffixes of a histogram. */
const findMetricNames = (path: string): string[] => [
  ...new Set(
    [...readFileSync(path, 'utf8').matchAll(/\bpaydesk_[a-z_]+/g)].map(([name]) =>
      name.replace(/_(?:bucket|count|sum)$/, ''),
    ),
  ),
]

test.each(['deploy/prometheus-alerts.yml', 'deploy/grafana-dashboard.json'])(
  '%s contains no unknown metric',
  (path) => {
    expect(findMetricNames(path).length).toBeGreaterThan(3)
    expect(findMetricNames(path).filter((name) => !metricNames.has(name))).toEqual([])
  },
)

test('each metric is on the dashboard', () => {
  const dashboardMetrics = new Set(findMetricNames('deploy/grafana-dashboard.json'))
  expect([...metricNames].filter((name) => !dashboardMetrics.has(name))).toEqual([])
})
