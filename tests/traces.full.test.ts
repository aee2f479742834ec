import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleItems } from '@/tests/sandbox/sample'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'

type SpanAttribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  attributes: SpanAttribute[]
  status: { code: number }
}
type TraceExport = {
  resourceSpans: { resource: { attributes: SpanAttribute[] }; scopeSpans: { spans: Span[] }[] }[]
}

/**
 * Starts an HTTP server in place of an OpenTelemetry collector. It records all requests. Returns
 * its URL, the requests, and the spans in them.
 */
async function startCollector() {
  const receivedPosts: { path: string; headers: http.IncomingHttpHeaders; text: string }[] = []
  const collectorServer = http.createServer((request, response) => {
    let bodyText = ''
    request.on('data', (part: Buffer) => {
      bodyText += part.toString()
    })
    request.on('end', () => {
      receivedPosts.push({ path: request.url ?? '', headers: request.headers, text: bodyText })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => collectorServer.listen(0, '127.0.0.1', resolve))
  const listResourceSpans = () =>
    receivedPosts.flatMap(({ text }) => (JSON.parse(text) as TraceExport).resourceSpans)
  return {
    url: `http://127.0.0.1:${(collectorServer.address() as AddressInfo).port}`,
    posts: receivedPosts,
    resources: () => listResourceSpans().map(({ resource }) => resource.attributes),
    spans: () =>
      listResourceSpans().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    stop: () => {
      collectorServer.closeAllConnections()
      collectorServer.close()
    },
  }
}

let sandbox: Sandbox
let dashboard: Dashboard
let person: Person
let collector: Awaited<ReturnType<typeof startCollector>>

const startTestDashboard = (env: Record<string, string>) =>
  startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full, env })
const toAttributes = ({ attributes }: Span) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key.replace('paydesk.', ''),
      value.stringValue ?? value.intValue,
    ]),
  )

beforeAll(async () => {
  ;[sandbox, collector] = await Promise.all([startSandbox(), startCollector()])
  dashboard = await startTestDashboard({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector=open',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  })
  person = await signIn(dashboard.url, 'operator')
})
afterAll(async () => {
  await dashboard?.stop()
  await sandbox?.stop()
  collector?.stop()
})

test('a request and its service call are one trace, without personal data', async () => {
  const payout = await sandbox.makePayout()
  await person.get(`/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`)
  await person.get('/api/sandbox/v1/customers?search_text=canary.person%40example.test')
  const findSpans = (name: string) => collector.spans().filter((span) => span.name === name)
  const [callSpan] = await waitUntil('the span of the call', () =>
    findSpans('service payouts.get').length > 0 ? findSpans('service payouts.get') : null,
  )
  const requestSpan = await waitUntil(
    'the span above it',
    () => collector.spans().find(({ spanId }) => spanId === callSpan?.parentSpanId) ?? null,
  )
  expect(requestSpan.traceId).toBe(callSpan?.traceId)
  expect([requestSpan.parentSpanId ?? '', requestSpan.kind, callSpan?.kind]).toEqual(['', 2, 3])
  expect(toAttributes(requestSpan)).toEqual({
    operation: 'payouts.get',
    outcome: 'ok',
    status: 200,
    request_id: expect.stringMatching(/^req_/),
  })
  expect(callSpan && toAttributes(callSpan)).toMatchObject({
    operation: 'payouts.get',
    environment: 'sandbox',
    status: 200,
  })

  await waitUntil('the span of the search', () =>
    findSpans('service customers.list').length > 0 ? true : null,
  )
  const attributeKeys = new Set(
    collector.spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)),
  )
  expect([...attributeKeys].sort()).toEqual(
    ['environment', 'operation', 'outcome', 'request_id', 'status'].map(
      (word) => `paydesk.${word}`,
    ),
  )
  const postedText = collector.posts.map(({ text }) => text).join()
  for (const word of ['canary', payout.id, payout.account, '/api/', sandbox.keys.full])
    expect(postedText).not.toContain(word)
})

test('a failed call and its request have an error status', async () => {
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation: 'payouts.get',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: null,
  })
  const { status } = await person.get(
    `/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`,
  )
  expect(status).toBe(502)
  const listFailedSpans = () => collector.spans().filter(({ status: { code } }) => code === 2)
  const failedCallSpans = await waitUntil('the failed call', () => {
    const foundSpans = listFailedSpans().filter(({ name }) => name === 'service payouts.get')
    return foundSpans.length > 0 ? foundSpans : null
  })
  await waitUntil(
    'the failed request',
    () =>
      listFailedSpans().find(({ spanId }) => spanId === failedCallSpans[0]?.parentSpanId) ?? null,
  )
  await sandbox.clearFaults()
})

test('the standard variables set the target, headers and service name', () => {
  const [post] = collector.posts
  expect([post?.path, post?.headers['x-collector']]).toEqual(['/v1/traces', 'open'])
  const [resource = []] = collector.resources()
  const resourceAttributes = Object.fromEntries(
    resource.map(({ key, value }) => [key, value.stringValue]),
  )
  expect(resourceAttributes).toMatchObject({
    'service.name': 'paydesk',
    'deployment.environment.name': 'test',
  })
})

/**
 * Starts a dashboard that exports its spans only every ten minutes. Sends a request, which creates
 * spans, and stops the dashboard. The collector can then only get these spans if the stop exports
 * them.
 */
async function exportSpansOnStop(url: string, protocol: string) {
  const tracedDashboard = await startTestDashboard({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  })
  await (await signIn(tracedDashboard.url, 'viewer')).get('/api/sandbox/v1/accounts')
  expect(await tracedDashboard.end()).toBe(0)
  expect(tracedDashboard.log()).toContain('"event":"stopped"')
  await tracedDashboard.stop()
}

type TraceCollector = Awaited<ReturnType<typeof startCollector>>
const protocolCases: [protocol: string, check: (posts: TraceCollector) => void][] = [
  [
    'http/json',
    ({ spans }) => expect(spans().map(({ name }) => name)).toContain('service accounts.list'),
  ],
  [
    '',
    ({ posts }) =>
      expect(posts.map(({ headers }) => headers['content-type'])).toContain(
        'application/x-protobuf',
      ),
  ],
]

test.each(sampleItems(protocolCases, 1))(
  'the remaining spans are sent at a stop with the protocol "%s"',
  async (protocol, check) => {
    const protocolCollector = await startCollector()
    await exportSpansOnStop(protocolCollector.url, protocol)
    check(protocolCollector)
    protocolCollector.stop()
  },
)

test('an unreachable collector does not prevent a clean stop', () =>
  exportSpansOnStop('http://127.0.0.1:9', ''))

test('an invalid variable is named at the start', async () => {
  const startPromise = startTestDashboard({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.company.test:4318',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  })
  await expect(startPromise).rejects.toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT: must begin with https:/)
  await expect(startPromise).rejects.toThrow(
    /OTEL_EXPORTER_OTLP_PROTOCOL: must be http\/protobuf or http\/json/,
  )
})
