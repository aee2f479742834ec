import 'server-only'
import pino from 'pino'
import { logLevel } from '@/lib/server/config/env'

/** The fields a log line may carry: words, numbers and ids of ours. There is no field for free text, so no value somebody typed can get in. */
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
  /** The number that Next gave an error, which its page shows as the reference. */
  digest?: string
  /** Of a signed head of the audit. */
  key?: string
  signature?: string
  /** A path made of names of the contract. */
  path?: string
  count?: number
}

let sink: pino.Logger | undefined

function logger(): pino.Logger {
  sink ??= pino({ level: logLevel(), base: null, timestamp: pino.stdTimeFunctions.isoTime })
  return sink
}

/** One JSON line each, allow-listed by type. Errors are reduced to their code before they come here. */
export const log = {
  info: (line: LogLine) => logger().info(line),
  warn: (line: LogLine) => logger().warn(line),
  error: (line: LogLine) => logger().error(line),
}
