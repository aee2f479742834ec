import { ListSkeleton } from '@/components/kits/list/list-skeleton'

const Loading = () => <ListSkeleton title="Payments" />

export default Loading
