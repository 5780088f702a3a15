# /etc/scheduler-client/client.hcl: a client that runs what the servers place on this machine.
data_dir = "/var/lib/scheduler-client"

server { enabled = false }
client {
  enabled = true
  servers = ["127.0.0.1:4647"]
}
plugin "raw_exec" {
  config { enabled = true }
}

# Beside a server on the same machine each needs ports of its own.
ports {
  http = 4656
  rpc  = 4657
  serf = 4658
}
acl { enabled = true }
