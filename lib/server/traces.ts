import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { readTracingProtocol } from '@/lib/server/config/tracing-settings'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { getSharedValue } from '@/lib/server/shared'

/** Fields of a span. They contain only codes and ids, never values that a person typed. */
type SpanFields = {
  operation?: string
  environment?: string
  outcome?: string
  request_id?: string
  status?: number
}

type SetSpanFields = (fields: SpanFields) => void

type Tracing = { tracer: Tracer; end: () => Promise<void> }

const traceState = getSharedValue<{ tracing: Tracing | undefined }>('traces', () => ({
  tracing: undefined,
}))
const spanStorage = getSharedValue('spans', () => new AsyncLocalStorage<Span>())

/**
 * The tracer is not registered globally, because spans of libraries contain full URLs with search
 * terms. Throws an error with one line per invalid variable.
 */
export async function startTraces(): Promise<void> {
  const protocol = readTracingProtocol()
  if (!protocol) return
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base')
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  )
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'))
  const envResource = detectResources({ detectors: [envDetector] })
  const traceResource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'paydesk' }))
    .merge(envResource)
  const provider = new BasicTracerProvider({
    resource: traceResource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  traceState.tracing = { tracer: provider.getTracer('paydesk'), end: () => provider.shutdown() }
}

/** Never throws, because an unreachable collector must not prevent a clean exit. */
export async function endTraces(): Promise<void> {
  await traceState.tracing
    ?.end()
    .catch((error: unknown) => log.warn({ event: 'traces.not_sent', code: getErrorCode(error) }))
}

/** True for 5xx, and for a call to the service that got no response (no `status`). */
const hasFailed = ({ status, outcome }: SpanFields): boolean =>
  status === undefined ? outcome !== undefined : status >= 500

export async function runInSpan<T>(
  name: string,
  kind: 'request' | 'call',
  work: (setSpanFields: SetSpanFields) => Promise<T>,
): Promise<T> {
  const { tracing } = traceState
  if (!tracing) return work(() => {})
  const parentSpan = spanStorage.getStore()
  const parentContext = parentSpan ? trace.setSpan(ROOT_CONTEXT, parentSpan) : ROOT_CONTEXT
  const span = tracing.tracer.startSpan(
    name,
    { kind: kind === 'request' ? SpanKind.SERVER : SpanKind.CLIENT },
    parentContext,
  )
  const setSpanFields: SetSpanFields = (fields) => {
    if (hasFailed(fields)) span.setStatus({ code: SpanStatusCode.ERROR })
    for (const [word, value] of Object.entries(fields)) span.setAttribute(`paydesk.${word}`, value)
  }
  try {
    return await spanStorage.run(span, () => work(setSpanFields))
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
