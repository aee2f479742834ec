import 'server-only'
import * as z from 'zod'
import { parseVariables, type Variables } from './parse'
import { httpsUrlShape } from './setting-forms'

const protocols = ['http/protobuf', 'http/json'] as const
const protocolShape = z.enum(protocols, 'must be http/protobuf or http/json')
const exporterShape = z.enum(['otlp', 'none'], 'must be otlp or none')

/**
 * The variables that Paydesk checks. The OpenTelemetry packages read their other variables
 * (headers, sampler, limits, resource) themselves.
 */
export const tracingShape = z.object({
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'must be true or false').default('false'),
  OTEL_TRACES_EXPORTER: exporterShape.default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpsUrlShape.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpsUrlShape.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocolShape.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocolShape.optional(),
})

/** Tracing is off (null) unless an endpoint is set. */
export function readTracingProtocol(
  variables: Variables = process.env,
): (typeof protocols)[number] | null {
  const tracingVariables = parseVariables(tracingShape, variables)
  const tracesEndpoint =
    tracingVariables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    tracingVariables.OTEL_EXPORTER_OTLP_ENDPOINT
  if (
    !tracesEndpoint ||
    tracingVariables.OTEL_SDK_DISABLED === 'true' ||
    tracingVariables.OTEL_TRACES_EXPORTER === 'none'
  )
    return null
  return (
    tracingVariables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ??
    tracingVariables.OTEL_EXPORTER_OTLP_PROTOCOL ??
    'http/protobuf'
  )
}
