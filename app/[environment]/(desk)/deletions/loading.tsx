import { ListSkeleton } from '@/components/kits/list/list-skeleton'

const Loading = () => <ListSkeleton title="Deletions" />

export default Loading
