import { Skeleton } from '@/components/ui/skeleton'

const ConnectLoading = () => (
  <div role="status" className="mx-auto grid max-w-4xl gap-3 pt-4">
    <span className="sr-only">Loading the customer…</span>
    <Skeleton className="h-7 w-64" />
    <Skeleton className="h-12" />
    <Skeleton className="h-80" />
  </div>
)

export default ConnectLoading
