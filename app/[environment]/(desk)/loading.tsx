import { Skeleton } from '@/components/ui/skeleton'

const rows = Array.from({ length: 14 }, (_, at) => at)

export default function DeskLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading</span>
      <div className="flex h-12 items-center">
        <Skeleton className="h-6 w-32" />
      </div>
      <div className="flex h-9 items-center gap-4 border-line border-b">
        <Skeleton className="h-4 w-20" />
        <Skeleton className="h-4 w-20" />
        <Skeleton className="h-4 w-20" />
      </div>
      <div className="h-head" />
      {rows.map((row) => (
        <div key={row} className="flex h-row items-center gap-6 border-line border-b">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-3.5 flex-1" />
          <Skeleton className="h-3.5 w-28" />
        </div>
      ))}
    </div>
  )
}
