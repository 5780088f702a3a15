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

# Beside a server on the same machine each needs ports of its own. Two clients on one machine need ranges of their own
# for the ports of tasks too: client.min_dynamic_port and client.max_dynamic_port, 20000 and 32000 where nothing is said.
ports {
  http = 4656
  rpc  = 4657
  serf = 4658
}
acl { enabled = true }

# Servers with tls.rpc and a ca_file take clients that have a certificate of that authority, each its own:
#   tls {
#     rpc       = true
#     cert_file = "/etc/scheduler-client/cert.pem"
#     key_file  = "/etc/scheduler-client/key.pem"
#     ca_file   = "/etc/scheduler-client/ca.pem"
#   }
