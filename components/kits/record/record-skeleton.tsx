import { Skeleton } from '@/components/ui/skeleton'

const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']

/** A record's shape while it is read, in its own measures, so that nothing jumps. */
export const RecordSkeleton = ({ noun }: { noun: string }) => (
  <div role="status" className="grid gap-4 p-4 lg:px-6">
    <span className="sr-only">Reading the {noun}…</span>
    <div className="grid gap-2">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-5 w-80 max-w-full" />
    </div>
    <Skeleton className="h-18 w-full" />
    <div className="grid gap-1">
      {lines.map((line) => (
        <Skeleton key={line} className="h-6 w-full" />
      ))}
    </div>
    <Skeleton className="h-40 w-full" />
  </div>
)
