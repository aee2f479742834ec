import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { tracingProtocol } from '@/lib/server/config/tracing-settings'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'

/** What a span may say: words and ids of ours, as a log line may. */
type SpanWords = { operation?: string; environment?: string; outcome?: string; request_id?: string; status?: number }

type Say = (words: SpanWords) => void

type Tracing = { tracer: Tracer; end: () => Promise<void> }

const traces = shared<{ tracing: Tracing | undefined }>('traces', () => ({ tracing: undefined }))
const spans = shared('spans', () => new AsyncLocalStorage<Span>())

/**
 * Begins to send traces where the variables of OpenTelemetry name an endpoint. The tracer is not made known to libraries: their spans hold whole addresses,
 * and with them what somebody searched for. Throws one line for each variable that is wrong.
 */
export async function startTraces(): Promise<void> {
  const protocol = tracingProtocol()
  if (!protocol) return
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base')
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources')
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'))
  const given = detectResources({ detectors: [envDetector] })
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'paydesk' }))
    .merge(given)
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
  traces.tracing = { tracer: provider.getTracer('paydesk'), end: () => provider.shutdown() }
}

/** Sends what is left of the traces. Never throws: a collector that is away must not keep a process from ending well. */
export async function endTraces(): Promise<void> {
  await traces.tracing?.end().catch((error: unknown) => log.warn({ event: 'traces.not_sent', code: errorCode(error) }))
}

/** Returns true for a request that was answered with 5xx, and for a call that had no answer or such a one. */
const hasFailed = ({ status, outcome }: SpanWords): boolean => (status === undefined ? outcome !== undefined : status >= 500)

/** Does work inside a span of its own, below that of the work it is part of. Where no traces are sent it only does the work. */
export async function inSpan<T>(name: string, kind: 'request' | 'call', work: (say: Say) => Promise<T>): Promise<T> {
  const { tracing } = traces
  if (!tracing) return work(() => {})
  const above = spans.getStore()
  const context = above ? trace.setSpan(ROOT_CONTEXT, above) : ROOT_CONTEXT
  const span = tracing.tracer.startSpan(name, { kind: kind === 'request' ? SpanKind.SERVER : SpanKind.CLIENT }, context)
  const say: Say = (words) => {
    if (hasFailed(words)) span.setStatus({ code: SpanStatusCode.ERROR })
    for (const [word, value] of Object.entries(words)) span.setAttribute(`paydesk.${word}`, value)
  }
  try {
    return await spans.run(span, () => work(say))
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
