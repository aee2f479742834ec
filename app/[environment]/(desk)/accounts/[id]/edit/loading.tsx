import { Skeleton } from '@/components/ui/skeleton'

const Loading = () => <Skeleton className="mx-auto mt-4 h-[80dvh] max-w-4xl" />

export default Loading
