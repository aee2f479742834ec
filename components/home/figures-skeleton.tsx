import { Skeleton } from '@/components/ui/skeleton'

/** The place of a chart while its figures are read. */
export const FiguresSkeleton = ({ title }: { title: string }) => (
  <div role="status" className="h-full rounded border border-line bg-surface">
    <div className="flex min-h-9 items-center border-line border-b px-3">
      <span className="font-semibold text-sm">{title}</span>
      <span className="sr-only">, being read</span>
    </div>
    <div className="grid gap-3 p-3">
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-56 w-full" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  </div>
)
