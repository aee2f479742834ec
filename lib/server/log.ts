import 'server-only'
import pino from 'pino'
import { logLevel } from '@/lib/server/config/env'

/** The allowed fields of a log line: codes, numbers and ids. There is no free-text field, so a typed value cannot be logged. */
export type LogLine = {
  event: string
  operation?: string
  environment?: string
  action_id?: string
  request_id?: string
  status?: number
  code?: string
  fault?: string
  attempt?: number
  ms?: number
  state?: string
  seq?: number
  hash?: string
  /** Next's error number, which the error page shows as the reference. */
  digest?: string
  /** Key id and signature of a signed audit head. */
  key?: string
  signature?: string
  /** Path of a field in the API contract; it contains field names, never values. */
  path?: string
  count?: number
}

let sink: pino.Logger | undefined

function logger(): pino.Logger {
  sink ??= pino({ level: logLevel(), base: null, timestamp: pino.stdTimeFunctions.isoTime })
  return sink
}

/** Writes one JSON line per call. Callers reduce errors to their code first. */
export const log = {
  info: (line: LogLine) => logger().info(line),
  warn: (line: LogLine) => logger().warn(line),
  error: (line: LogLine) => logger().error(line),
}
