import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { pageClasses, pageTitleClasses } from './page-header'

export const RowsSkeleton = () => (
  <div role="status" className="pt-8">
    <span className="sr-only">Loading the list…</span>
    <SkeletonRows className="px-4 lg:px-6" />
  </div>
)

export const ListSkeleton = ({ title }: { title: string }) => (
  <div className="-mx-4 lg:-mx-6">
    <div className="border-line border-b px-4 py-2 lg:px-6">
      <p className={pageTitleClasses}>{title}</p>
    </div>
    <div className="px-4 py-1 lg:px-6">
      <Skeleton className="h-control w-56" />
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
  <div role="status" className="grid gap-4 px-4 py-2 lg:px-6">
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

/** Has the width and the title of a form or of another page of text. */
export const TextPageSkeleton = ({ noun }: { noun: string }) => (
  <div role="status" className={pageClasses.text}>
    <div className="py-2">
      <span className="sr-only">Loading the {noun}…</span>
      <Skeleton className="h-control w-64 max-w-full" />
    </div>
    <Skeleton className="h-48" />
    <Skeleton className="h-48" />
  </div>
)

export const FormSkeleton = () => <TextPageSkeleton noun="form" />
