import { Skeleton } from '@/components/ui/skeleton'
import { GroupSkeleton } from './late-group'

const figures = ['waits', 'longest', 'held', 'cut-off']

/** The page's shape while nothing is known yet. */
export const HomeSkeleton = () => (
  <>
    <div className="flex min-h-12 items-center">
      <span className="font-semibold text-xl">My work</span>
    </div>
    <div className="flex min-h-[3.75rem] flex-wrap gap-x-10 gap-y-2 border-line border-y py-2">
      {figures.map((figure) => (
        <div key={figure} className="grid content-start gap-1.5">
          <Skeleton className="h-3 w-20" />
          <Skeleton className="h-5 w-28" />
        </div>
      ))}
    </div>
    <div className="mt-10 grid items-start gap-4 xl:grid-cols-2">
      <GroupSkeleton />
      <GroupSkeleton />
    </div>
  </>
)
