package webhooks

const childAddress = "LABOUR_TEST_DELIVER_FROM"

func deliverForEver(string) {}
