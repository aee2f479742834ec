import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'

export const RowsSkeleton = () => (
  <div role="status" className="pt-8">
    <span className="sr-only">Loading the list…</span>
    <SkeletonRows className="px-4 lg:px-6" />
  </div>
)

export const ListSkeleton = ({ title }: { title: string }) => (
  <div className="-mx-4 lg:-mx-6">
    <div className="flex h-9 items-end border-line border-b px-4 lg:px-6">
      <span className="h-9 pt-1.5 font-semibold text-lg">{title}</span>
    </div>
    <div className="h-10 px-4 py-1 lg:px-6">
      <Skeleton className="h-8 w-56" />
    </div>
    <RowsSkeleton />
  </div>
)

const lineKeys = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** Has the record's dimensions, to avoid a layout shift. */
export const RecordSkeleton = ({ noun }: { noun: string }) => (
  <div role="status" className="grid gap-4 p-4 lg:px-6">
    <span className="sr-only">Loading the {noun}…</span>
    <div className="grid gap-2">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-5 w-80 max-w-full" />
    </div>
    <Skeleton className="h-18 w-full" />
    <div className="grid gap-1">
      {lineKeys.map((line) => (
        <Skeleton key={line} className="h-6 w-full" />
      ))}
    </div>
    <Skeleton className="h-40 w-full" />
  </div>
)

export const FormSkeleton = () => <RecordSkeleton noun="form" />
