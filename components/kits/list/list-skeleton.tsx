import { Skeleton } from '@/components/ui/skeleton'

const rows = Array.from({ length: 14 }, (_, at) => `row ${at}`)

/** The list's shape while it is read, row for row. */
export const ListSkeleton = ({ title }: { title: string }) => (
  <div role="status" className="-mx-4 lg:-mx-6">
    <span className="sr-only">Reading the list…</span>
    <div className="flex h-9 items-end border-line border-b px-4 lg:px-6">
      <span className="h-9 pt-1.5 font-semibold text-lg">{title}</span>
    </div>
    <div className="h-10 px-4 py-1 lg:px-6">
      <Skeleton className="h-8 w-56" />
    </div>
    <div className="mt-8 border-line border-t">
      {rows.map((row) => (
        <div key={row} className="flex h-row items-center gap-6 border-line border-b px-4 lg:px-6">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-3 w-20" />
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 flex-1" />
        </div>
      ))}
    </div>
  </div>
)
