import { Inflate } from 'fflate'
import { type ProblemId, Refusal, type Steps } from './refusal'

/** Bytes handed to the inflater at once: at the highest ratio deflate knows, a thousand times that comes out in one go. */
const sip = 4096

type Limit = { most: number; tooMuch: ProblemId; damaged: ProblemId }

/**
 * Inflates raw deflate data a little at a time and hands on what comes out; `most` bytes of it are the end. The data must end where its
 * last block does or later. Gives how many bytes came out.
 */
export function* inflate(data: Uint8Array, { most, tooMuch, damaged }: Limit, take: (bytes: Uint8Array) => void): Steps<number> {
  let length = 0
  const inflater = new Inflate((bytes) => {
    length += bytes.length
    if (length > most) throw new Refusal(tooMuch)
    take(bytes)
  })
  for (let at = 0; at < data.length || at === 0; at += sip) {
    push(inflater, data.subarray(at, at + sip), at + sip >= data.length, damaged)
    yield
  }
  return length
}

function push(inflater: Inflate, bytes: Uint8Array, isLast: boolean, damaged: ProblemId): void {
  try {
    inflater.push(bytes, isLast)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(damaged)
  }
}

/** Inflates zlib data (RFC 1950) into one array of at most `most` bytes. Its checksum is not asked: readers do not ask it either. */
export function* inflateZlib(data: Uint8Array, limit: Limit): Steps<Uint8Array> {
  const [first = 0, second = 0] = data
  if ((first & 15) !== 8 || ((first << 8) | second) % 31 !== 0 || (second & 32) !== 0) throw new Refusal(limit.damaged)
  const parts: Uint8Array[] = []
  const length = yield* inflate(data.subarray(2), limit, (bytes) => parts.push(bytes))
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
