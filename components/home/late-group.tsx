import { Suspense } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { type WorkId, type WorkRead, workRows, workWords } from '@/lib/domain/work'
import { GroupFailed } from './group-failed'
import { GroupFrame } from './group-frame'
import { WorkGroup } from './work-group'

type LateGroupProps = { id: WorkId; mine: boolean; reading: Promise<WorkRead> }

const rows = Array.from({ length: workRows }, (_, at) => `row ${at}`)

/** A queue that was not read in time. Its place has the size of a full one and keeps it, whatever comes: nothing below it moves. */
export const LateGroup = ({ id, mine, reading }: LateGroupProps) => (
  <div className="min-h-[17.75rem] max-sm:min-h-[22.5rem]">
    <Suspense fallback={<GroupSkeleton id={id} />}>
      <Arrived id={id} mine={mine} reading={reading} />
    </Suspense>
  </div>
)

async function Arrived({ id, mine, reading }: LateGroupProps) {
  const read = await reading
  if (!read.ok) return <GroupFailed id={id} read={read} />
  if (read.group.total > 0) return <WorkGroup group={read.group} title={workWords[id].title} mine={mine} />
  return (
    <GroupFrame id={id} title={workWords[id].title}>
      <p className="px-3 py-2 text-ink-3">Nothing waits here.</p>
    </GroupFrame>
  )
}

/** The shape of a full queue. */
export const GroupSkeleton = ({ id }: { id?: WorkId }) => (
  <div role="status" className="rounded border border-line bg-surface">
    <div className="flex h-9 items-center border-line border-b px-3">
      {id ? <span className="font-semibold text-sm">{workWords[id].title}</span> : <Skeleton className="h-4 w-40" />}
      <span className="sr-only">, being read</span>
    </div>
    {rows.map((row) => (
      <div key={row} className="grid gap-1.5 border-line border-b px-3 py-2 last:border-b-0">
        <Skeleton className="h-3.5 w-2/5" />
        <Skeleton className="h-3 w-3/4" />
      </div>
    ))}
  </div>
)
