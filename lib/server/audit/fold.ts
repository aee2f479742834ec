import 'server-only'
import { beforeExit } from '@/lib/server/last-writes'
import { log } from '@/lib/server/log'
import { type AuditEntry, recordAudit } from './chain'
import type { Refusal } from './codes'

/** Refusals are told one by one only as far as this in a window (milliseconds); the rest of the window is told as numbers when it ends. */
const windowLength = 60_000

/** What one sort of refusal may take of a window: rows of its own for equal ones, kinds for one group, and kinds in all. */
export type Bounds = { rows: number; kinds: number; all: number }

/** The row of one refusal, and the row of several. */
export type RefusalEntry = AuditEntry & { refusal: Refusal }
type CountedEntry = RefusalEntry & { repeated: number }

type Kind = { entry: RefusalEntry; group: string; told: number; counted: number }
type Window = { kinds: Map<string, Kind>; others: Map<Refusal, number>; close: () => void }

/** Pages, route handlers and the start of the process are compiled apart; what is counted must be the same for all. */
const shared = globalThis as typeof globalThis & { paydeskRefusals?: { open: Window | undefined; ending: boolean } }
shared.paydeskRefusals ??= { open: undefined, ending: false }
const windows = shared.paydeskRefusals

function openWindow(): Window {
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const late = setTimeout(() => window.close(), windows.ending ? 0 : windowLength)
  late.unref()
  const window: Window = {
    kinds: new Map(),
    others: new Map(),
    close: () => {
      clearTimeout(late)
      if (windows.open === window) windows.open = undefined
      close()
    },
  }
  windows.open = window
  beforeExit(closed.then(() => write(window)))
  return window
}

/** What is true of every refusal of a kind: who, from which network; not of what. */
const inCommon = ({ code, actor, session, network, refusal }: RefusalEntry): RefusalEntry => ({
  code,
  actor,
  refusal,
  ...(session ? { session } : {}),
  ...(network ? { network } : {}),
})

/** The rows a window leaves: for each kind how often it came again, and how often what was not even told apart. */
function rowsOf({ kinds, others }: Window): CountedEntry[] {
  const again = [...kinds.values()].filter(({ counted }) => counted > 0)
  return [
    ...again.map(({ entry, counted }) => ({ ...inCommon(entry), repeated: counted })),
    ...[...others].map(([refusal, repeated]) => ({ code: 'refusals.others.counted' as const, actor: null, refusal, repeated })),
  ]
}

/** What cannot be written is counted on in the next window, within its bounds. */
async function write(window: Window): Promise<void> {
  const left = rowsOf(window)
  try {
    // One by one: whoever writes meanwhile waits for a row and not for all of them.
    for (let row = left[0]; row; left.shift(), row = left[0]) await recordAudit(row)
  } catch {
    log.error({ event: 'audit.refusals_not_written' })
    const { others } = windows.open ?? openWindow()
    for (const { refusal, repeated } of left) count(others, refusal, repeated)
  }
}

const count = <K>(counts: Map<K, number>, key: K, times = 1) => counts.set(key, (counts.get(key) ?? 0) + times)

/** A kind that was not seen in this window yet, unless the window has no room for it. */
function newKind(window: Window, key: string, entry: RefusalEntry, group: string, bounds: Bounds): Kind | null {
  const own = [...window.kinds.values()].filter((kind) => kind.group === group).length
  if (window.kinds.size >= bounds.all || own >= bounds.kinds) return null
  const kind = { entry, group, told: 0, counted: 0 }
  window.kinds.set(key, kind)
  return kind
}

/** Counts a refusal of a group (a person, or a network nobody signed in from) and says whether it is to have a row of its own now. */
export function countRefusal(entry: RefusalEntry, group: string, bounds: Bounds): boolean {
  const window = windows.open ?? openWindow()
  const key = `${group} ${entry.code}`
  const kind = window.kinds.get(key) ?? newKind(window, key, entry, group, bounds)
  if (!kind) count(window.others, entry.refusal)
  else if (kind.told >= bounds.rows) kind.counted += 1
  else kind.told += 1
  return kind !== null && kind.counted === 0
}

/** Ends the window now, and every later one at once: the process is about to stop. */
export function endRefusalWindows(): void {
  windows.ending = true
  windows.open?.close()
}
