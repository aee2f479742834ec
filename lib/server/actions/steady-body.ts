import 'server-only'
import type { AppError } from '@/lib/errors'

/** What a sender owes: so many bytes in each stretch of waiting for it, and all of them within the whole (milliseconds). */
const pace = { stretch: 10_000, bytes: 160_000, whole: 120_000 }

type Reader = ReadableStreamDefaultReader<Uint8Array>
type Part = Awaited<ReturnType<Reader['read']>>

/** What is being read, or null when it did not come in time. */
async function within(reading: Promise<Part>, milliseconds: number): Promise<Part | null> {
  let late: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => {
    late = setTimeout(() => resolve(null), Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([reading, timeout])
  } finally {
    clearTimeout(late)
  }
}

/** How a sender does, by the time that was spent waiting for it. */
class Pace {
  isBroken = false
  private waited = 0
  private bytes = 0
  private left = pace.whole

  /** How long the next part may take. */
  get most(): number {
    return Math.min(pace.stretch - this.waited, this.left)
  }

  count(milliseconds: number, bytes: number): void {
    this.waited += milliseconds
    this.bytes += bytes
    this.left -= milliseconds
    if (this.left <= 0) this.isBroken = true
    if (this.waited < pace.stretch) return
    if (this.bytes < pace.bytes) this.isBroken = true
    this.waited = 0
    this.bytes = 0
  }
}

/**
 * The bytes of a body whose sender keeps a pace of 16 kB a second. Only the time spent waiting for the sender counts, so that a slow store of
 * ours cuts nobody. Throws what `tooSlow` gives.
 */
export async function* steadyBytes(reader: Reader, tooSlow: () => AppError): AsyncGenerator<Uint8Array> {
  const sender = new Pace()
  let reading = reader.read()
  for (;;) {
    const began = performance.now()
    const part = await within(reading, sender.most)
    if (part?.done) return
    sender.count(performance.now() - began, part?.value.length ?? 0)
    if (sender.isBroken) throw tooSlow()
    // Where time ran out on a sender who owes nothing, the same read goes on: a second one would lose what the first brings.
    if (!part) continue
    yield part.value
    reading = reader.read()
  }
}

/** Reads on without looking, so that a sender who was refused hears the answer. The HTTP server sets an end to it. */
export async function drain(reader: Reader): Promise<void> {
  let part: Part | undefined
  while (!part?.done) part = await reader.read()
}
