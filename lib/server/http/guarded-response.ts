import 'server-only'
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { responseHeaders } from './response-headers'

/** An answer that cannot leave without our headers: what nobody has set by the time the head is written is added there. */
export class GuardedResponse extends ServerResponse<IncomingMessage> {
  override writeHead(status: number, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this
  override writeHead(status: number, message?: string, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this
  override writeHead(...args: [number, ...never[]]): this {
    for (const [name, value] of Object.entries(responseHeaders)) if (!this.hasHeader(name)) this.setHeader(name, value)
    return super.writeHead(...args)
  }
}
