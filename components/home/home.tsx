import { type ReactNode, Suspense } from 'react'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Dimmed, ListFrame, Updating } from '@/components/kits/list/list-frame'
import { RefreshButton } from '@/components/kits/list/refresh-button'
import type { Desk } from '@/lib/client/desk'
import type { CutOffTime } from '@/lib/domain/bank-time'
import { type Held, summarize, type WorkId, type WorkRead, workIds } from '@/lib/domain/work'
import type { Role } from '@/lib/operations/define'
import { AllDone } from './all-done'
import { HeadLine } from './head-line'
import { partsOf, WorkBoard, type WorkPart, type WorkReads } from './work-board'

type HomeProps = {
  desk: Desk
  /** The roles the person holds over what is shown. */
  roles: readonly Role[]
  reads: WorkReads
  held: { early: Held | null | undefined; all: Promise<Held | null> }
  cutOff: CutOffTime
  /** When the reading began (ISO). */
  readAt: string
  /** The charts. */
  children: ReactNode
}

/** Everything that waits for the reader, then what waits for others, then how the money moves. */
export function Home({ desk, roles, reads, held, cutOff, readAt, children }: HomeProps) {
  const parts = partsOf(reads, roles)
  return (
    <ListFrame>
      <PageHeader
        title="My work"
        meta={desk.account === null && `over ${desk.needsAccount ? 'your' : 'all'} accounts`}
        actions={
          <>
            <Updating />
            <AgeChip at={readAt} limit={120_000} />
            <RefreshButton />
          </>
        }
      />
      <Head reads={reads} roles={roles} held={held} cutOff={cutOff} />
      <Dimmed>
        <div className="grid gap-6 pt-4">
          {parts.length === 0 && <AllDone cutOff={cutOff} />}
          {parts.length > 0 && !parts[0]?.mine && <p className="text-ink-2">{nothingForYou(roles)}</p>}
          {parts.map((part) => (
            <Part key={part.title} part={part} />
          ))}
          {children}
        </div>
      </Dimmed>
    </ListFrame>
  )
}

const nothingForYou = (roles: readonly Role[]) =>
  roles.every((role) => role === 'viewer') ? 'Your role reads. What waits here is for others to decide.' : 'Nothing waits for you.'

const Part = ({ part: { title, groups } }: { part: WorkPart }) => (
  <section aria-label={title} className="grid gap-2">
    <h2 className="font-semibold text-ink-2 text-sm">{title}</h2>
    <WorkBoard groups={groups} />
  </section>
)

type HeadProps = Pick<HomeProps, 'reads' | 'roles' | 'held' | 'cutOff'>

/** The head says what is known, and says it again when the last queue has come. */
function Head({ reads, roles, held, cutOff }: HeadProps) {
  const pending = workIds.filter((id) => !reads.early[id]).length
  const early = <HeadLine summary={summarize(reads.early, roles)} held={held.early} cutOff={cutOff} pending={pending} />
  if (pending === 0 && held.early !== undefined) return early
  return (
    <Suspense fallback={early}>
      <WholeHead reads={reads} roles={roles} held={held} cutOff={cutOff} />
    </Suspense>
  )
}

async function WholeHead({ reads, roles, held, cutOff }: HeadProps) {
  const all = await Promise.all(workIds.map(async (id): Promise<[WorkId, WorkRead]> => [id, await reads.all[id]]))
  return <HeadLine summary={summarize(Object.fromEntries(all), roles)} held={await held.all} cutOff={cutOff} pending={0} />
}
