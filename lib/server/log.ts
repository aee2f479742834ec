import 'server-only'
import pino from 'pino'
import { getLogLevel } from '@/lib/server/config/env'

/** No field for free text, so that text from a person or the service cannot be logged. */
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
  /** The id that Next gives an error. The error page shows it as the reference. */
  digest?: string
  /** Key id and signature over the position and hash of the newest audit row. */
  key?: string
  signature?: string
  /** Path of a field in the API contract; it contains field names, never values. */
  path?: string
  count?: number
}

let cachedLogger: pino.Logger | undefined

function getLogger(): pino.Logger {
  cachedLogger ??= pino({
    level: getLogLevel(),
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
  })
  return cachedLogger
}

/** For an error, pass only its code. */
export const log = {
  info: (line: LogLine) => getLogger().info(line),
  warn: (line: LogLine) => getLogger().warn(line),
  error: (line: LogLine) => getLogger().error(line),
}
