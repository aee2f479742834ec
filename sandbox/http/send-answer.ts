import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultKind } from './planned-faults'
import { Problem } from './problem'
import { problemAnswer, type Telling, type WireAnswer } from './wire-answer'

export type Wire = { incoming: IncomingMessage; outgoing: ServerResponse }

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export async function delayAt(fault: FaultKind | undefined, at: 'before' | 'mid' | 'after'): Promise<void> {
  if (fault?.kind === 'delay' && fault.at === at) await pause(fault.ms)
}

/** Returns the fabricated error of a `status` fault. */
export function statusAnswer(fault: Extract<FaultKind, { kind: 'status' }>, telling: Telling): WireAnswer {
  const retry: Record<string, string> = fault.retry_after === undefined ? {} : { 'retry-after': String(fault.retry_after) }
  if (fault.body === 'none') return { status: fault.status, headers: retry, body: '' }
  if (fault.body === 'html') {
    const body = `<html><body><center><h1>${fault.status}</h1></center></body></html>`
    return { status: fault.status, headers: { 'content-type': 'text/html', ...retry }, body }
  }
  const answer = problemAnswer(new Problem(fault.status, 'api_error', 'Error', 'A planned fault of the sandbox.'), telling)
  return { ...answer, headers: { ...answer.headers, ...retry } }
}

export function send({ outgoing }: Wire, answer: WireAnswer): void {
  const body = Buffer.from(answer.body, 'utf8')
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': body.length })
  outgoing.end(body)
}

/** Sends the full content length but only the first bytes, then cuts the connection. */
function sendTruncated({ outgoing }: Wire, answer: WireAnswer, bytes: number): void {
  const body = Buffer.from(answer.body, 'utf8')
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': body.length })
  outgoing.write(body.subarray(0, Math.min(bytes, body.length - 1)), () => outgoing.destroy())
}

/** Cuts the connection: a plain close for `close`, a TCP reset for `reset`. */
export function cut({ incoming }: Wire, how: 'close' | 'reset'): void {
  if (how === 'close') incoming.socket.destroy()
  else incoming.socket.resetAndDestroy()
}

/** Sends the response, modified by a fault that strikes after the effect. */
export function sendThrough(fault: FaultKind | undefined, wire: Wire, answer: WireAnswer, telling: Telling): void {
  if (fault?.kind === 'truncate') sendTruncated(wire, answer, fault.at)
  else if (fault?.kind === 'reset' && fault.at === 'after') cut(wire, 'reset')
  else if (fault?.kind === 'status' && fault.at === 'after') send(wire, statusAnswer(fault, telling))
  else if (fault?.kind === 'body') send(wire, { status: 200, headers: { 'content-type': fault.content_type }, body: fault.body })
  else send(wire, answer)
}
