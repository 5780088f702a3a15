job "several" {
  group "g" {
    network {
      port "a" {}
      port "b" {}
      dns {
        servers  = ["10.0.0.53"]
        searches = ["internal"]
      }
      hostname = "box"
    }
    service {
      name         = "a"
      port         = "a"
      provider     = "nomad"
      address_mode = "host"
      canary_tags  = ["next"]
      canary_meta { color = "green" }
      tagged_addresses { wan = "1.2.3.4" }
      weights {
        passing = 3
        warning = 1
      }
      enable_tag_override = true
      on_update           = "ignore_warnings"
      check {
        name                     = "tcp"
        type                     = "tcp"
        port                     = 8081
        interval                 = "5s"
        timeout                  = "1s"
        success_before_passing   = 2
        failures_before_critical = 3
      }
      check {
        type           = "script"
        name           = "deep"
        task           = "t"
        command        = "/bin/check"
        args           = ["-x", 5]
        interval       = "30s"
        timeout        = "5s"
        initial_status = "passing"
      }
      check {
        type            = "grpc"
        port            = "b"
        interval        = "10s"
        timeout         = "2s"
        grpc_service    = "x.Y"
        grpc_use_tls    = true
        tls_skip_verify = true
      }
      identity {
        aud = ["consul.io"]
        ttl = "1h"
      }
    }
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
