import { cn } from './cn'

/** A grey shape where something will be, in that thing's size. Shows itself after 150 ms only. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={cn('skeleton block rounded-sm', className)} />
)

const rows = Array.from({ length: 14 }, (_, at) => `row ${at}`)

/** Rows of a list that are still being read; `className` is the room at their ends. */
export const SkeletonRows = ({ className }: { className?: string }) => (
  <div className="border-line border-t">
    {rows.map((row) => (
      <div key={row} className={cn('flex h-row items-center gap-6 border-line border-b', className)}>
        <Skeleton className="h-3 w-24" />
        <Skeleton className="h-3 w-20" />
        <Skeleton className="h-3 w-40" />
        <Skeleton className="h-3 flex-1" />
      </div>
    ))}
  </div>
)
